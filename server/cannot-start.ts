/** A reason not to start that the owner can fix. main.ts prints its message without a stack and exits with 1. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}
