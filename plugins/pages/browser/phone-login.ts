import { client } from './api.js'
import { showCode } from './phone-code.js'

/** Logs in with the mobile app: the app signs, and this browser gets the session. */
export async function logInByPhone(place: HTMLElement): Promise<void> {
  const begun = await client.beginPhoneLogin({ request: {} })
  const stateURL = `/api/auth/govQr/${begun.loginId}`
  const shown = showCode(place, begun, { stateURL, onCancel: () => undefined })
  try {
    await Promise.race([shown.done, shown.failed])
    await client.finishPhoneLogin({ loginId: begun.loginId, request: {} })
  } finally {
    shown.close()
  }
}
