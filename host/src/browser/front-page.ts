import type { FastifyInstance } from 'fastify'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Signed Document Registry</title>
<h1>Signed Document Registry</h1>
<p>This service registers electronically signed documents, keeps the evidence, and proves them again.</p>
<p lang="ru">Сервис регистрирует документы, подписанные электронной подписью, хранит доказательства и подтверждает подписи.</p>
<p lang="kk">Қызмет электрондық қолтаңба қойылған құжаттарды тіркейді, дәлелдерді сақтайды және қолтаңбаларды растайды.</p>
<p>It is used by programs: <a href="/docs">the interface</a>, <a href="/openapi.json">its description</a>.</p>
</html>
`

/** Serves a page that says what this is, for who opens the address in a browser; a plugin's pages take its place. */
export function serveFrontPage(app: FastifyInstance): void {
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE))
}
