// A file of this house around a CommonJS module: fetched by itself, the bundler would bring along what makes a namespace of one.
import 'react-dom/client';
