import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

/*
 * Draws the icons of plugins/pages/style from mark.svg. Run it by hand when the mark changes, and commit what it writes:
 * node packaging/icons.mjs [path of chromium]
 */
const style = fileURLToPath(new URL('../plugins/pages/style/', import.meta.url))
const mark = readFileSync(`${style}mark.svg`, 'utf8')
/** Home screens round the corners themselves. */
const square = mark.replace(' rx="8"', '')
const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox'],
})

async function draw(svg, size) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`)
  return page.screenshot({ omitBackground: true })
}

/** An icon file with one PNG. */
function ico(png, size) {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.set([size, size], 6)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

for (const size of [192, 512]) writeFileSync(`${style}icon-${size}.png`, await draw(mark, size))
writeFileSync(`${style}apple-touch-icon.png`, await draw(square, 180))
writeFileSync(`${style}favicon.ico`, ico(await draw(mark, 32), 32))
await browser.close()
