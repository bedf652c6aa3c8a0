export { WebhookHttpOptions, webhookHttp } from './webhook-http.js'
