/** `Content-Disposition` of a download (RFC 6266): the name for every browser, and in ASCII for those that read no other. */
export function attachment(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
