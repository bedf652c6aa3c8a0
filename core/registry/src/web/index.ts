export { webArea } from './area.js'
export { Html, html } from './html.js'
export { cookieName, cookieValues, readCookie } from './own-cookies.js'
export { type PageAnswer, type PageRequest, WebPages } from './web-pages.js'
