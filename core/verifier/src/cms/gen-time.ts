import { DerError } from '../der/reader.js'
import { readSignedData } from './signed-data.js'
import { readTstInfo } from './tst-info.js'

/**
 * The time that a token tells, milliseconds since the epoch, to name it by: nothing of it is judged. `undefined` for what
 * cannot be read.
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
