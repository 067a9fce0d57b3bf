/** A reason not to start that its reader can mend. main.ts prints the sentence alone, no stack, and exits 1. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart'
}
