import type { FastifyInstance } from 'fastify'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Signed Document Registry</title>
<h1>Signed Document Registry</h1>
<p>This service registers documents with an electronic digital signature (EDS), keeps the evidence and verifies the signatures again.</p>
<p lang="ru">Сервис регистрирует документы с электронной цифровой подписью (ЭЦП), хранит доказательства и проверяет подписи заново.</p>
<p lang="kk">Сервис электрондық цифрлық қолтаңба (ЭЦҚ) қойылған құжаттарды тіркейді, дәлелдемелерді сақтайды және қолтаңбаларды қайта тексереді.</p>
<p>For developers: <a href="/docs">API reference</a>, <a href="/openapi.json">OpenAPI description</a>.</p>
</html>
`

/** Serves a page that says what this service is, to visitors with a browser; the pages of a plugin replace it. */
export function serveFrontPage(app: FastifyInstance): void {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE))
}
