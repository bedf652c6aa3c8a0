export { webArea } from './area.js'
export { type PageAnswer, type PageRequest, WebPages } from './web-pages.js'
