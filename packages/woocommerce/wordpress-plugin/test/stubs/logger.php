<?php
/** WooCommerce's log. */

function wc_get_logger() {
	return new class() {
		public function log( string $level, string $text, array $context ): void {
			Stubs::$logged[] = "$level {$context['source']}: $text";
		}
	};
}
