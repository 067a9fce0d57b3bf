import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askForAction, parseAction, usage } from './admin-menu.ts'

function answering(...answers: string[]) {
  const asked: string[] = []
  const said: string[] = []
  const ask = async (question: string) => {
    asked.push(question)
    return answers.shift() ?? assert.fail(`nobody answers ${question}`)
  }
  return { asked, said, choose: () => askForAction(ask, (text) => said.push(text)) }
}

test('npm run admin alone lists what it can do and asks for what it needs', async () => {
  const { asked, said, choose } = answering('9', ' 2 ', '', 'mia', 'mia@example.com')
  assert.deepEqual(await choose(), { action: 'create', username: 'mia', email: 'mia@example.com' })
  assert.match(said.join('\n'), /1 {2}list .*\n {2}2 {2}create .*\n {2}3 {2}reset /)
  assert.equal(asked.filter((question) => question.startsWith('A number')).length, 2)
  assert.deepEqual(asked.slice(2), ['Username: ', 'Username: ', 'Email address: '])
})

test('an action is also chosen by its name, and listing asks for nothing more', async () => {
  const { asked, choose } = answering('list')
  assert.deepEqual(await choose(), { action: 'list', username: '', email: '' })
  assert.equal(asked.length, 1)
})

test('words that are no command are answered with the list of commands', () => {
  for (const words of [['lost'], ['reset'], ['create', 'mia'], ['reset', ' ']])
    assert.throws(() => parseAction(words), { name: 'CannotStart', message: usage })
  assert.deepEqual(parseAction(['reset', 'mia']), { action: 'reset', username: 'mia', email: '' })
})
