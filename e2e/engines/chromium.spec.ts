import { tellStories } from './testing/stories.ts'

await tellStories('chromium')
