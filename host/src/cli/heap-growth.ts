import { setFlagsFromString } from 'node:v8'

/**
 * Lets V8 collect garbage when its heap is half as large again as what was alive, not four times as on machines with much
 * memory: a host under load holds what it needs and a half, and its memory says something.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=50')
}
