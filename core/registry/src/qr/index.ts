export { type Bitmap, bitmapPng, type Picture, readPng } from '../png/index.js'
export { codeWithLogo } from './code-with-logo.js'
export { capacity, type Level, qrBitmap } from './qr-image.js'
