export { type Bitmap, bitmapPng, type Picture, readPng } from '../png/index.js'
export { capacity } from './capacity.js'
export { codeWithLogo } from './code-with-logo.js'
export { type Level, qrBitmap } from './qr-image.js'
