import { config } from 'zod/v4/core'

// The content security policy forbids the code that zod generates at run time. A schema reads this setting when it
// is created, so dialogs with schemas import this file first. Pages are shown without zod.
config({ jitless: true })
