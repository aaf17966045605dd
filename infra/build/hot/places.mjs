/** What the shell holds of a module while its code changes: components that stay the same and show the newest that there is. */
import { Component } from 'react';
import { jsx } from 'react/jsx-runtime';
import { shownFor, useRefreshes } from './runtime.mjs';

/** @type {Map<string, {Shown: (props: object) => unknown, show(Newest: unknown): void}>} */
const places = new Map();

/** @param {string} name what it is to those who read why it is not there */
export function placeOf(name) {
  const known = places.get(name);
  if (known) return known;
  let Newest = () => null;
  const place = {
    Shown(props) {
      return jsx(Catching, { name, refreshes: useRefreshes(), children: jsx(shownFor(Newest), props) });
    },
    show(Other) {
      Newest = Other;
    },
  };
  places.set(name, place);
  return place;
}

/** Where code throws, what it threw is to be read there, until the next refresh tries again. */
class Catching extends Component {
  state = { refreshes: 0, error: null };

  static getDerivedStateFromProps({ refreshes }, state) {
    return state.refreshes === refreshes ? null : { refreshes, error: null };
  }

  static getDerivedStateFromError(error) {
    return { error };
  }

  render() {
    const { name, children } = this.props;
    const { error } = this.state;
    if (error === null) return children;
    return jsx('pre', {
      role: 'alert',
      'data-testid': 'hot-fault',
      style: { whiteSpace: 'pre-wrap' },
      children: `${name} of this module threw, and is tried again when its code changes:\n${error?.message ?? error}`,
    });
  }
}

/** What is shown for code that threw before there was a component. @param {unknown} error */
export function throwing(error) {
  return () => {
    throw error;
  };
}
