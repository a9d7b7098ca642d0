import theme from "vitepress/theme";
import "./site.css";

export default theme;
