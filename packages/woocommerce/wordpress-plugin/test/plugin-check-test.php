<?php
/** The rules of Plugin Check, the program that reviews plugins for the directory of WordPress, as far as the source shows them. */

require_once __DIR__ . '/plugin-source.php';

test(
	'Plugin Check: the zip contains only file types and names that the directory accepts',
	static function (): void {
		$folder = dirname( __DIR__ ) . '/tillkit-checkout';
		foreach ( new RecursiveIteratorIterator( new RecursiveDirectoryIterator( $folder, FilesystemIterator::SKIP_DOTS ) ) as $file ) {
			$name = $file->getFilename();
			assert_true( 1 === preg_match( '/^[a-z][a-zA-Z_-]*\.(?:php|js|css|svg|po|txt)\z/', $name ), "the name of $name;" );
		}
	}
);

test(
	'Plugin Check: readme.txt and the header of the plugin agree and are complete',
	static function (): void {
		$readme = plugin_headers( 'readme.txt' );
		$header = plugin_headers( 'tillkit-checkout.php' );
		foreach ( array( 'Plugin Name', 'Description', 'Version', 'Requires at least', 'Requires PHP', 'Requires Plugins', 'WC requires at least', 'WC tested up to', 'Author', 'License', 'License URI', 'Text Domain' ) as $name ) {
			assert_true( isset( $header[ $name ] ), "the plugin's header has $name;" );
		}
		foreach ( array( 'Requires at least', 'Requires PHP', 'License', 'License URI' ) as $name ) {
			assert_same( $header[ $name ], $readme[ $name ] ?? '', "$name in readme.txt;" );
		}
		assert_same( $header['Version'], $readme['Stable tag'] );
		assert_same( 'tillkit-checkout', $header['Text Domain'] );
		assert_true( 1 === preg_match( '/^\d+\.\d+\z/', $readme['Tested up to'] ), 'Tested up to names a major version of WordPress;' );
		assert_true( version_compare( $readme['Tested up to'], $header['Requires at least'], '>=' ), 'Tested up to is not older than the oldest version;' );
		assert_true( count( explode( ',', $readme['Tags'] ) ) <= 5, 'the directory reads five tags;' );
		assert_true( 0 !== stripos( $header['Plugin Name'], 'woo' ), 'a name must not begin with the name of another product;' );
	}
);

test(
	'Plugin Check: readme.txt has a short description of 150 characters at most, and the usual sections',
	static function (): void {
		$text = file_get_contents( dirname( __DIR__ ) . '/tillkit-checkout/readme.txt' );
		preg_match( '/\n\n(.+?)\n\n== Description ==/s', $text, $found );
		assert_true( strlen( $found[1] ?? str_repeat( ' ', 151 ) ) <= 150, 'the short description;' );
		foreach ( array( 'Description', 'Installation', 'Frequently Asked Questions', 'Changelog' ) as $section ) {
			assert_contains( "== $section ==", $text );
		}
	}
);

test(
	'Plugin Check: functions, classes and constants of the plugin begin with its name',
	static function (): void {
		foreach ( plugin_tokens() as $path => $tokens ) {
			$depth = 0;
			foreach ( $tokens as $index => list( $kind, $text ) ) {
				$depth += nesting_change( $text, array( '{', '${' ), array( '}' ) );
				$name   = $tokens[ $index + 1 ][1] ?? '';
				if ( 0 === $depth && in_array( $kind, array( T_FUNCTION, T_CLASS, T_CONST ), true ) && preg_match( '/^\w+\z/', $name ) ) {
					// `static function` declares no name.
					assert_true( 0 === stripos( $name, 'tillkit_' ) || 'function' === $name, "$path: $name;" );
				}
			}
		}
	}
);

test(
	'Plugin Check: the plugin uses no function that the directory refuses or that WordPress has a safer one for',
	static function (): void {
		$refused = array( 'eval', 'create_function', 'base64_decode', 'base64_encode', 'str_rot13', 'exec', 'shell_exec', 'system', 'passthru', 'proc_open', 'popen', 'curl_init', 'file_put_contents', 'fopen', 'unlink', 'rename', 'mkdir', 'ini_set', 'set_time_limit', 'error_reporting', 'error_log', 'var_dump', 'var_export', 'print_r', 'extract', 'serialize', 'unserialize', 'json_encode', 'parse_url', 'strip_tags', 'date', 'rand', 'mt_rand', 'srand', 'md5_file', 'query_posts', 'wp_reset_query', 'move_uploaded_file' );
		foreach ( plugin_calls() as $call ) {
			$reason = "/phpcs:ignore WordPress\.WP\.AlternativeFunctions\.{$call['name']}_{$call['name']} -- \w+/";
			assert_true( ! in_array( strtolower( $call['name'] ), $refused, true ) || 1 === preg_match( $reason, plugin_line_before( $call['place'] ) ), "{$call['place']} calls {$call['name']}();" );
		}
		foreach ( plugin_tokens() as $path => $tokens ) {
			foreach ( $tokens as list( $kind, $text, $line ) ) {
				assert_true( '`' !== $text && ! in_array( $kind, array( T_OPEN_TAG_WITH_ECHO, T_START_HEREDOC, T_GOTO, T_EVAL, T_INLINE_HTML ), true ), "$path:$line has $text;" );
			}
		}
	}
);

test(
	'Plugin Check: everything that is printed is escaped where it is printed',
	static function (): void {
		$escaping = array( 'esc_html', 'esc_attr', 'esc_url', 'esc_js', 'esc_html__', 'esc_attr__', 'absint', 'wp_kses_post', 'wp_json_encode', 'wp_create_nonce' );
		foreach ( plugin_tokens() as $path => $tokens ) {
			foreach ( $tokens as $index => list( $kind, $text, $line ) ) {
				$is_print = T_ECHO === $kind || ( 'printf' === $text && '(' === ( $tokens[ $index + 1 ][1] ?? '' ) );
				if ( ! $is_print ) {
					continue;
				}
				// As in Plugin Check, a comment beside or above a statement takes it out, with its reason.
				$near = plugin_line_before( "$path:$line" ) . plugin_line_before( "$path:" . ( $line + 1 ) );
				if ( 1 === preg_match( '/phpcs:ignore WordPress\.Security\.EscapeOutput\.OutputNotEscaped -- \w+/', $near ) ) {
					continue;
				}
				$from = $index + ( T_ECHO === $kind ? 1 : 2 );
				assert_same( array(), unescaped_parts( tokens_until( $tokens, $from, array( ';' ) ), $escaping ), "$path:$line prints" );
			}
		}
	}
);

/** The line above a place, where a comment may take a call out of a rule, with its reason. */
function plugin_line_before( string $place ): string {
	list( $path, $line ) = explode( ':', $place );
	foreach ( plugin_files() as $file ) {
		if ( plugin_path( $file ) === $path ) {
			return file( $file )[ $line - 2 ];
		}
	}
	return '';
}

/** How much deeper the code is nested after this token: 1 after an opening bracket, -1 after a closing one, otherwise 0. */
function nesting_change( string $text, array $opening, array $closing ): int {
	if ( in_array( $text, $opening, true ) ) {
		return 1;
	}
	return in_array( $text, $closing, true ) ? -1 : 0;
}

/** @return string[] The parts of a printed expression, between dots and commas, that are neither literals nor an escaping call. */
function unescaped_parts( array $tokens, array $escaping ): array {
	$parts = array( array() );
	$depth = 0;
	foreach ( $tokens as $token ) {
		$depth += nesting_change( $token[1], array( '(', '[' ), array( ')', ']' ) );
		if ( 0 === $depth && in_array( $token[1], array( '.', ',' ), true ) ) {
			$parts[] = array();
		} else {
			$parts[ count( $parts ) - 1 ][] = $token;
		}
	}
	$bad = array();
	foreach ( $parts as $part ) {
		// Of `condition ? one : other` the condition is not printed.
		$choice     = array_search( '?', array_column( $part, 1 ), true );
		$part       = false === $choice ? $part : array_slice( $part, $choice + 1 );
		$literals   = array( T_CONSTANT_ENCAPSED_STRING, T_LNUMBER );
		$is_literal = array() === array_diff( array_column( $part, 0 ), $literals, array( null ) );
		$is_escaped = T_STRING === ( $part[0][0] ?? null ) && in_array( $part[0][1], $escaping, true ) && ')' === end( $part )[1];
		if ( ! $is_literal && ! $is_escaped ) {
			$bad[] = implode( ' ', array_column( $part, 1 ) );
		}
	}
	return $bad;
}

test(
	'Plugin Check: every statement for the database is prepared',
	static function (): void {
		foreach ( plugin_tokens() as $path => $tokens ) {
			foreach ( $tokens as $index => list( , $text, $line ) ) {
				if ( '$wpdb' !== $text || ! in_array( $tokens[ $index + 2 ][1] ?? '', array( 'query', 'get_var', 'get_row', 'get_col', 'get_results' ), true ) ) {
					continue;
				}
				$next = array_column( array_slice( $tokens, $index + 4, 3 ), 1 );
				assert_same( array( '$wpdb', '->', 'prepare' ), $next, "$path:$line runs" );
			}
		}
	}
);

test(
	'Plugin Check: what the browser sends is cleaned where it is read, after its nonce was verified',
	static function (): void {
		$cleaned = '/(?:absint|sanitize_\w+|wp_unslash)\(|=== \( \$_(?:GET|POST)|(?:isset|empty)\( \$_/';
		foreach ( plugin_files() as $file ) {
			$lines = file( $file );
			foreach ( $lines as $index => $line ) {
				if ( preg_match( '/\$_(?:GET|POST|REQUEST|COOKIE|SERVER)\b/', $line ) ) {
					$place = plugin_path( $file ) . ':' . ( $index + 1 );
					assert_true( 1 === preg_match( $cleaned, implode( '', array_slice( $lines, $index, 3 ) ) ), "$place is cleaned;" );
					$near = implode( '', array_slice( $lines, max( 0, $index - 12 ), 13 ) );
					assert_true( 1 === preg_match( '/phpcs:ignore WordPress\.Security\.NonceVerification\.\w+ -- \w+|check_(?:ajax|admin)_referer|wp_verify_nonce|tillkit_require_admin_request/', $near ), "$place comes after a nonce;" );
				}
			}
		}
	}
);

test(
	'Plugin Check: texts have the text domain of the plugin, and a comment for translators where they have a placeholder',
	static function (): void {
		foreach ( plugin_calls() as $call ) {
			if ( ! in_array( $call['name'], array( '__', 'esc_html__', 'esc_attr__', 'tillkit_text' ), true ) ) {
				continue;
			}
			$arguments = array_values( array_filter( array_column( tokens_until( $call['tokens'], $call['next'], array( ';' ) ), 1 ), static function ( string $text ): bool { return ',' !== $text; } ) );
			if ( 'tillkit_text' !== $call['name'] ) {
				assert_same( "'tillkit-checkout'", $arguments[1] ?? '', $call['place'] );
			}
			if ( preg_match( '/%(?:\d\$)?[sd]/', $arguments[0] ) ) {
				list( $path, $line ) = explode( ':', $call['place'] );
				assert_contains( 'translators:', plugin_line_before( $call['place'] ) . plugin_line_before( "$path:" . ( $line + 1 ) ) );
			}
		}
	}
);

test(
	'Plugin Check: pages get their scripts and styles from the plugin, by WordPress, and nothing from other servers',
	static function (): void {
		assert_same( array(), plugin_lines( '/<(?:script|style|link|iframe)\b/i' ), 'tags for scripts and styles;' );
		foreach ( glob( dirname( __DIR__ ) . '/tillkit-checkout/*/*.js' ) as $file ) {
			assert_same( 0, preg_match( '/https?:\/\/|\beval\(|document\.write/', file_get_contents( $file ) ), basename( $file ) );
		}
	}
);
