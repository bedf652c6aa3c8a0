import { expect } from 'chai'
import { inkOn, luminance } from '#pages/ink.js'

describe('ink on a colour', () => {
  it('is read at 4.5 to 1 or better on every colour', () => {
    for (let red = 0; red < 256; red += 15)
      for (let green = 0; green < 256; green += 15)
        for (let blue = 0; blue < 256; blue += 15) {
          const color = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
          const [light, dark] = [luminance(color), luminance(inkOn(color))].sort((one, other) => other - one)
          expect(((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05), color).to.be.at.least(4.5)
        }
  })

  it('is white on dark colours and black on light ones', () => {
    expect([inkOn('#000000'), inkOn('#7a1f3d'), inkOn('#ffcc00')]).to.deep.equal(['#ffffff', '#ffffff', '#000000'])
  })
})
