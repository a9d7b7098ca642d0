import theme from "vitepress/theme";
import "./readable.css";

export default theme;
