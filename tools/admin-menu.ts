import { CannotStart } from '#server/cannot-start.ts'

type Need = 'username' | 'email'

/** What `npm run admin` can do. Actions that set a password make one and show it. */
export const adminActions = {
  list: { help: 'who may log in', needs: [], setsPassword: false },
  create: { help: 'a new admin', needs: ['username', 'email'], setsPassword: true },
  reset: {
    help: 'a new password; logs that admin out everywhere',
    needs: ['username'],
    setsPassword: true,
  },
  'second-factor-off': {
    help: 'log in without a code again, when the phone and the recovery codes are lost',
    needs: ['username'],
    setsPassword: false,
  },
  enable: {
    help: 'lets a disabled admin log in again',
    needs: ['username'],
    setsPassword: false,
  },
} as const satisfies Record<string, { help: string; needs: Need[]; setsPassword: boolean }>

export type AdminAction = keyof typeof adminActions
export type ChosenAction = { action: AdminAction; username: string; email: string }

const names = Object.keys(adminActions) as AdminAction[]

export const usage = [
  'Usage:',
  ...names.map((name) => {
    const { needs, help } = adminActions[name]
    const command = ['npm run admin --', name, ...needs.map((need) => need.toUpperCase())].join(' ')
    return `  ${command.padEnd(45)}  ${help}`
  }),
  "A password is made and shown. To choose your own: echo 'the password' | npm run admin -- reset USERNAME --password-stdin",
].join('\n')

export function parseAction([name = '', username = '', email = '']: string[]): ChosenAction {
  const action = names.find((known) => known === name)
  const given = { username: username.trim(), email: email.trim() }
  if (!action || adminActions[action].needs.some((need) => !given[need]))
    throw new CannotStart(usage)
  return { action, ...given }
}

const questions: Record<Need, string> = {
  username: 'Username: ',
  email: 'Email address: ',
}

/** For `npm run admin` alone: lists what it can do, and asks. */
export async function askForAction(
  ask: (question: string) => Promise<string>,
  say: (text: string) => void,
): Promise<ChosenAction> {
  say('What do you want to do?')
  for (const [index, name] of names.entries())
    say(`  ${index + 1}  ${name.padEnd(18)} ${adminActions[name].help}`)
  const range = `1 to ${names.length}`
  const answer = await askUntil(ask, `A number from ${range}: `, (text) =>
    names.find((name, index) => text === name || text === String(index + 1)),
  )
  const chosen: ChosenAction = { action: answer, username: '', email: '' }
  for (const need of adminActions[answer].needs)
    chosen[need] = await askUntil(ask, questions[need], (text) => text || undefined)
  return chosen
}

async function askUntil<Answer>(
  ask: (question: string) => Promise<string>,
  question: string,
  read: (text: string) => Answer | undefined,
): Promise<Answer> {
  for (;;) {
    const answer = read((await ask(question)).trim())
    if (answer !== undefined) return answer
  }
}
