import fs from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitepress'
import { contents } from './contents.ts'

const FOLDER = path.join(import.meta.dirname, '..')

export default defineConfig({
  title: 'Moorage',
  description: 'Documentation of Moorage, billing for people who sell game servers',
  base: '/docs/',
  head: [['link', { rel: 'icon', href: '/favicon.svg' }]],
  cleanUrls: true,
  lastUpdated: false,
  // A script of its own instead of one in every page, which the content policy would have to name.
  metaChunk: true,
  rewrites: { 'README.md': 'index.md', 'decisions/README.md': 'decisions/index.md' },
  // A second language is a folder beside these pages and an entry here.
  locales: { root: { label: 'English', lang: 'en' } },
  // The default themes of code have comments and keywords that are too pale to read.
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: {
      provider: 'local',
      // It is called what it shows: a word, and the letter of its shortcut behind a space.
      options: { translations: { button: { buttonText: 'Search ', buttonAriaLabel: 'Search K' } } },
    },
    outline: { level: [2, 3] },
    sidebar: contents.map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => ({ text: headingOf(page), link: addressOf(page) })),
    })),
    footer: { message: 'AGPL-3.0-only' },
  },
})

/** The first heading of a page, which is its name in the menu as well. */
function headingOf(page: string): string {
  const text = fs.readFileSync(path.join(FOLDER, `${page}.md`), 'utf8')
  return /^# (.+)$/m.exec(text)?.[1] ?? page
}

function addressOf(page: string): string {
  return `/${page.replace(/README$/, '')}`
}
