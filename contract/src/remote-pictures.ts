/** Pictures of other hosts, which this server fetches for its readers so that those hosts don't see readers' addresses. */

export const REMOTE_PICTURES_PATH = "/media/remote/";

/**
 * The address at which this server serves a picture; for one that is stored here, its own.
 * @param owner who shows it, such as `posts/7`: only what an owner shows is served
 */
export function remotePicture(owner: string, url: string): string;
export function remotePicture(owner: string, url: string | null): string | null;
export function remotePicture(owner: string, url: string | null): string | null {
  return url?.startsWith("http") ? `${REMOTE_PICTURES_PATH}${owner}?url=${encodeURIComponent(url)}` : url;
}
