import '@cord/ui/base.css';
import './preview.css';
import { PATIENCE_MS } from '@cord/sdk/testing';
import { loadOverlays } from '@cord/ui';
import { useLayoutEffect } from 'react';
import { configure } from 'storybook/test';
import type { Preview } from 'storybook-react-rsbuild';

// Stories wait for what they look for as tests of components do.
configure({ asyncUtilTimeout: PATIENCE_MS });

/** The theme of the toolbar on the root element, as the user menu of the app does it. */
function Theme({ theme }: { theme: string }) {
  useLayoutEffect(() => {
    document.documentElement.setAttribute('data-theme', theme);
  }, [theme]);
  return null;
}

const preview: Preview = {
  globalTypes: {
    theme: {
      description: 'Theme',
      toolbar: {
        title: 'Theme',
        icon: 'contrast',
        items: [
          { value: 'dark', title: 'Dark' },
          { value: 'light', title: 'Light' },
        ],
        dynamicTitle: true,
      },
    },
  },
  // A story shows its dialog at once; how one is fetched when it is requested is a test of its own.
  loaders: [async () => void (await loadOverlays())],
  // What one story has typed is no draft of the next.
  beforeEach: () => sessionStorage.clear(),
  initialGlobals: { theme: 'dark' },
  parameters: {
    layout: 'padded',
    backgrounds: { disable: true },
    controls: { disable: true },
    viewport: {
      options: {
        w320: { name: '320', styles: { width: '320px', height: '720px' } },
        w390: { name: '390', styles: { width: '390px', height: '844px' } },
        w768: { name: '768', styles: { width: '768px', height: '1024px' } },
        w1024: { name: '1024', styles: { width: '1024px', height: '800px' } },
        w1440: { name: '1440', styles: { width: '1440px', height: '900px' } },
      },
    },
    a11y: { options: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] } },
  },
  decorators: [
    (Story, { globals }) => (
      <>
        <Theme theme={String(globals.theme ?? 'dark')} />
        <Story />
      </>
    ),
  ],
};

export default preview;
