export { checkPng } from './check-png.js'
export { PngError, type PngSize } from './chunks.js'
export { type Picture, readPng } from './read-png.js'
export { type Bitmap, bitmapPng, colourPng } from './write-png.js'
