<?php
/** WordPress's guide to the privacy policy. */

function wp_add_privacy_policy_content( string $plugin, string $html ): void {
	Stubs::$notices[] = "$plugin: $html";
}
