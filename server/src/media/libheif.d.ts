/** The part of libheif-js that we use; its own declarations don't cover this entry point. */
declare module "libheif-js/wasm-bundle.js" {
  type Context = object;
  type Handle = object;
  interface Failure {
    code: object;
    message: string;
  }
  interface Decoded {
    image: object;
    /** Views of WebAssembly memory, valid until the image is released. */
    channels: { data: Uint8Array; width: number; height: number; stride: number }[];
  }
  const libheif: {
    heif_error_code: { heif_error_Ok: object };
    heif_colorspace: { heif_colorspace_RGB: object };
    heif_chroma: { heif_chroma_interleaved_RGB: object; heif_chroma_interleaved_RGBA: object };
    heif_context_alloc(): Context;
    heif_context_free(context: Context): void;
    heif_context_read_from_memory(context: Context, bytes: Uint8Array): Failure;
    heif_js_context_get_primary_image_handle(context: Context): Handle | Failure;
    heif_image_handle_get_width(handle: Handle): number;
    heif_image_handle_get_height(handle: Handle): number;
    heif_image_handle_has_alpha_channel(handle: Handle): number;
    heif_image_handle_release(handle: Handle): void;
    heif_js_decode_image2(
      handle: Handle,
      colorspace: object,
      chroma: object,
    ): Decoded | Failure | Promise<Decoded | Failure>;
    heif_image_release(image: object): void;
  };
  export default libheif;
}
