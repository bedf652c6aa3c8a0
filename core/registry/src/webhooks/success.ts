import { port } from '../kernel/port.js'

/** Which answers say that a webhook has arrived: 200 alone, as the specification has it, or any from 200 to 299. */
export type WebhookSuccess = '200' | '2xx'
export const WebhookSuccess = port<WebhookSuccess>('WebhookSuccess', 'defaulted')
