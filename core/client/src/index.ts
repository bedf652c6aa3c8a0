export { allItems, type ListOperation } from './all-items.js'
export {
  type Addresses,
  type CallOptions,
  type Client,
  type ClientOf,
  type ClientOptions,
  clientOf,
  createClient,
  type FileOperation,
} from './client.js'
export * from './operations.js'
export { isProblem, problemOf, RegistryProblem } from './problem.js'
export { RegistryUnavailable } from './unavailable.js'
export type { UploadInput, UploadStream } from './upload.js'
