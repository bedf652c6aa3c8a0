export { children, contents, type DerElement, DerError, encoded, readDer, readElement } from './der/reader.js'
