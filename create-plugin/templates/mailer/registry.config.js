import { defineConfig } from '@signed-registry/host'
import { ourPlugin } from './dist/index.js'

export default defineConfig({ plugins: [ourPlugin({ url: 'http://127.0.0.1:9/', key: 'a key' })] })
