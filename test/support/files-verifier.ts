export { readTrust } from '@signed-registry/verifier'
export { verifyFile } from '@signed-registry/verifier/files'
