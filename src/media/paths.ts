/** Where hosted images are served, outside the API. */
export const MEDIA_PATH = '/media'
