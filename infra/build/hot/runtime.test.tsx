// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react';
import { type ComponentType, memo, useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
// @ts-expect-error: plain JavaScript, without types
import { jsxDEV } from './jsx.mjs';
// @ts-expect-error: plain JavaScript, without types
import { placeOf } from './places.mjs';
// @ts-expect-error: plain JavaScript, without types
import { createSignatureFunctionForTransform, performReactRefresh, register } from './runtime.mjs';

let id = 0;
beforeEach(() => {
  id += 1;
});
afterEach(cleanup);

/** A component as the compiler leaves it: told of with its place in the code and its hooks. */
function compiled<T extends ComponentType<never>>(type: T, hooks = 'useState{}', place = `Counter${id}`): T {
  const sign = createSignatureFunctionForTransform();
  sign(type, hooks, false);
  register(type, place);
  return type;
}

/** Counts its clicks under a word. */
const counter = (word: string) =>
  function Counter() {
    const [count, setCount] = useState(0);
    return (
      <button type="button" onClick={() => setCount(count + 1)}>
        {word} {count}
      </button>
    );
  };

const click = () => act(async () => screen.getByRole('button').click());
const refresh = () => act(async () => performReactRefresh());
const shown = () => screen.getByRole('button').textContent;

describe('a component of a module whose code changes in a built shell', () => {
  test('runs its new code and keeps its state while its hooks are the same', async () => {
    const First = compiled(counter('first'));
    render(jsxDEV(First, {}));
    await click();
    compiled(counter('second'));
    expect(shown()).toBe('first 1');
    await refresh();
    expect(shown()).toBe('second 1');
  });

  test('begins anew where its hooks are others', async () => {
    const place = placeOf(`page ${id}`);
    place.show(compiled(counter('first')));
    render(<place.Shown />);
    await click();
    compiled(counter('second'), 'useState{}useEffect{}');
    await refresh();
    expect(shown()).toBe('second 0');
  });

  test('does so for a hook of the module, too, that it calls', async () => {
    const useHook = (key: string) => {
      const hook = () => undefined;
      createSignatureFunctionForTransform()(hook, key, false);
      return hook;
    };
    const calling = (word: string, hook: () => void) => {
      const type = counter(word);
      createSignatureFunctionForTransform()(type, 'useHook{}', false, () => [hook]);
      register(type, `Calling${id}`);
      return type;
    };
    const place = placeOf(`page ${id}`);
    place.show(calling('first', useHook('useState{}')));
    render(<place.Shown />);
    await click();
    calling('second', useHook('useState{}'));
    await refresh();
    expect(shown()).toBe('second 1');
    calling('third', useHook('useReducer{}'));
    await refresh();
    expect(shown()).toBe('third 0');
  });

  test('keeps its state below memo', async () => {
    const memoed = (word: string) => {
      const inner = compiled(counter(word));
      const outer = memo(inner);
      register(outer, `Memo${id}`);
      return outer;
    };
    render(jsxDEV(memoed('first'), {}));
    await click();
    memoed('second');
    await refresh();
    expect(shown()).toBe('second 1');
  });

  test('says what it throws, and is back with the next change that does not', async () => {
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const place = placeOf('The page');
    place.show(compiled(counter('first')));
    render(<place.Shown />);
    compiled(function Counter() {
      useState(0);
      throw new Error('fell over');
    });
    await refresh();
    expect(screen.getByRole('alert').textContent).toContain('The page of this module threw');
    expect(screen.getByRole('alert').textContent).toContain('fell over');
    compiled(counter('mended'));
    await refresh();
    expect(shown()).toBe('mended 0');
    quiet.mockRestore();
  });

  test('of another package is what it was', () => {
    const Foreign = counter('foreign');
    expect(jsxDEV(Foreign, {}).type).toBe(Foreign);
    expect(jsxDEV('p', {}).type).toBe('p');
  });
});
