import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { noPages, WebPages } from './web-pages.js'

export const webArea = area({ name: 'web', provides: [provideValue(WebPages, noPages)] })
