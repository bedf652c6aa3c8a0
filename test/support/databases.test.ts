import { expect } from 'chai'
import mysql from 'mysql2/promise'
import { forEachDatabase } from './databases.js'

describe('databases for tests', () => {
  forEachDatabase((open) => {
    it('are empty and each another one', async () => {
      const [first, second] = [await open(), await open()]
      expect(first).to.not.equal(second)
      if (!first.startsWith('mysql:')) return
      const connection = await mysql.createConnection(first)
      const [tables] = await connection.query('show tables')
      await connection.end()
      expect(tables).to.deep.equal([])
    })
  })
})
