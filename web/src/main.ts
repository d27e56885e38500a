import { mount } from 'svelte'
import App from './App.svelte'
import './theme.css'
import './layout.css'
import './narrow.css'
import './forced_colours.css'
import './print.css'

const target = document.getElementById('app')
if (target) mount(App, { target })
