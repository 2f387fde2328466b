/** What file pickers offer for a community's picture. */
export const pictureTypes = "image/jpeg,image/png,image/webp,image/heic,.heic";
