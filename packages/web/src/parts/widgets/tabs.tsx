// Several views of the same thing, one at a time.

import type { ReactNode } from "react"
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components"

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly content: ReactNode }[]
}

/** Tabs; what is not shown is not drawn. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <AriaTabs>
      <TabList className="tabs" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
