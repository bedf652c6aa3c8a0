import type { Client } from '@signed-registry/client'
import { type AppAnnouncement, addressIn, type Subject } from '@signed-registry/dev-authorities'
import { signDocuments } from '#dev-authorities/phone/sign-documents.js'

const DATA = {
  signMethod: 'CMS_SIGN_ONLY',
  version: 1,
  documentsToSign: [
    {
      ...{ id: 1, nameRu: 'Заказ', nameKz: 'Тапсырыс', nameEn: 'Order', meta: [] },
      document: { file: { mime: 'text/plain', data: Buffer.from('Order 19').toString('base64') } },
    },
  ],
}

/** Signing raw data, which the registry does not keep, with the mobile application: the calls of both sides. */
export async function rawSigning(author: Client, send: typeof fetch, signer: Subject): Promise<void> {
  const cancelled = await author.beginRawProcedure({ request: { description: 'Sign that' } })
  await author.cancelRawProcedure({ qrId: cancelled.dataURL.split('/').at(-1) ?? '' })
  await byApp(author, send, signer, 'Eds')
  await byApp(author, send, signer, 'Token')
}

async function byApp(author: Client, send: typeof fetch, signer: Subject, authType: 'Eds' | 'Token'): Promise<void> {
  const ask = async (url: string, method = 'GET', body?: object, token?: string): Promise<string> => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    return (await send(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })).text()
  }
  const { dataURL, signURL, govMobileLaunchLink } = await author.beginRawProcedure({
    request: { description: 'Sign this', authType, whenDone: { backUrl: 'https://portal.example/orders' } },
  })
  const sent = ask(dataURL, 'POST', DATA)
  const signed = ask(signURL)
  const { document }: AppAnnouncement = JSON.parse(await ask(addressIn(govMobileLaunchLink)))
  const { uri, auth_token: token } = document
  const login = `<login><url>${uri}</url><timeStamp>${new Date().toISOString()}</timeStamp></login>`
  const given =
    authType === 'Eds'
      ? await ask(uri, 'POST', { xml: signer.signXml(login).document })
      : await ask(uri, 'GET', undefined, token)
  await ask(uri, 'PUT', signDocuments(given, signer), token)
  await Promise.all([sent, signed])
  await author.getRawState({ qrId: dataURL.split('/').at(-1) ?? '' })
}
