import type { Deviations } from './deviation.js'

export const httpDeviations = {
  noContentCodings: {
    lines: [25, 31],
    words: 'JSON with `Content-Type: application/json`, except endpoints stated to take `application/octet-stream`',
    ours: 'a body with a `Content-Encoding` is refused with 415 and `Accept-Encoding: identity`, also where its type is right',
    because: { attack: 'a few kilobytes unpack to gigabytes; and hashes are over the bytes that come' },
  },
  heldCallsLetGo: {
    lines: [572],
    words: 'On failure: a JSON object with `message` (string) and `requestID` (string)',
    ours: 'a call that is held for a phone ends without an answer when its host stops or fails; what is its own fault it is told',
    because: { production: 'its clients ask again when a connection ends, and give up at an answer' },
  },
  floodsUnanswered: {
    lines: [572],
    words: 'On failure: a JSON object with `message` (string) and `requestID` (string)',
    ours: 'a connection with more than ten requests on their way is closed without an answer, and so is one too many of an address, or one whose body or answer stands still',
    because: { attack: 'each answer would cost the host what the limit is to save' },
  },
} as const satisfies Deviations
