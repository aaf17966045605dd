// A wrapper around a CommonJS module; a direct dynamic import would add the bundler's namespace helpers.
import 'react-dom/client';
