import { defineConfig } from '@signed-registry/host'
import { ourPlugin } from './dist/index.js'

export default defineConfig({ plugins: [ourPlugin({ refused: ['nobody'] })] })
