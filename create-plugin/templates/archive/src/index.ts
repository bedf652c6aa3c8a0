export { ourPlugin } from './our-plugin.js'
