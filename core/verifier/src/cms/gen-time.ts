import { DerError } from '../der/reader.js'
import { readSignedData } from './signed-data.js'
import { readTstInfo } from './tst-info.js'

/**
 * The genTime of a token, milliseconds since the epoch, without any validation; `undefined` for a malformed one.
 */
export function genTimeOf(token: Uint8Array): number | undefined {
  try {
    const { content } = readSignedData(token)
    return content && readTstInfo(content).genTime
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}
