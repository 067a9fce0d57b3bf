import { config } from 'zod/v4/core'

// zod writes code at run time to be faster; the content security policy forbids that, and says so aloud.
// A schema looks at this when it is made, so it stands before the first one.
config({ jitless: true })
