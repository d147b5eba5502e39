import type { Area } from '#platform/area.ts'
import { articleRoutes } from './articles/routes.ts'
import { articleCategoryRoutes } from './categories/routes.ts'
import { helpRoutes } from './help/routes.ts'
import { objectsAmong } from './named.ts'
import { erase, personalData } from './personal-data.ts'
import { articleTextRoutes } from './texts/routes.ts'

export { Audience as ArticleAudience } from './articles/schema.ts'
export { articlePublished, articleWithdrawn } from './events.ts'
export { hasHelp } from './help/queries.ts'

export const knowledge: Area = {
  name: 'knowledge',
  objectsAmong,
  routes: [helpRoutes, articleCategoryRoutes, articleRoutes, articleTextRoutes],
  permissions: [
    { key: 'articles:read', description: 'See help articles, their drafts and versions' },
    { key: 'articles:write', description: 'Write, publish and withdraw help articles' },
  ],
  personalData,
  purposes: ['knowledge.feedback'],
  erase,
}
