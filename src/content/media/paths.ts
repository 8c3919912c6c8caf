/** Path of hosted images, outside the API. */
export const MEDIA_PATH = '/media'
