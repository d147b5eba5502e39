import type { Article, Category } from './reads.ts'

/** The name of a category for staff: in English, else in the first language. */
export const nameOf = ({ names }: Pick<Category, 'names'>) =>
  names.en ?? Object.values(names)[0] ?? ''

/** The title of an article for staff: in English, else in the first language; undefined without a text. */
export const titleOf = ({ texts }: Pick<Article, 'texts'>) =>
  (texts.find(({ language }) => language === 'en') ?? texts[0])?.title
