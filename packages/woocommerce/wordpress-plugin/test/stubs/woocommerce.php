<?php
function wc_get_order( $id ) {
	$row = Shop_State::read()['orders'][ (int) $id ] ?? null;
	if ( null === $row ) {
		return false;
	}
	return 'refund' === $row['status'] ? new WC_Order_Refund() : new WC_Order( $row );
}

function wc_get_orders( array $query ): array {
	$rows = array_values( Shop_State::read()['orders'] );
	usort(
		$rows,
		static function ( array $one, array $other ): int {
			return $other['id'] - $one['id'];
		}
	);
	return array_map(
		static function ( array $row ): WC_Order {
			return new WC_Order( $row );
		},
		array_slice( $rows, 0, $query['limit'] )
	);
}

function wc_format_decimal( $number, int $decimals ): string {
	return '' === $number ? '' : number_format( (float) $number, $decimals, '.', '' );
}

function wc_get_is_paid_statuses(): array {
	return array( 'processing', 'completed' );
}

function WC() {
	return new class() {
		public function is_rest_api_request(): bool {
			return Stubs::$is_rest;
		}
	};
}

final class WC_Emails {
	public static function send_transactional_email( $order_id ): void {
		Stubs::$mails[] = (int) $order_id;
	}
}

function wc_get_price_decimals(): int {
	return Stubs::$decimals;
}

function get_woocommerce_currency(): string {
	return Stubs::$currency;
}

function wc_price( $amount, array $options ): string {
	return '<span><bdi>' . number_format( (float) $amount, Stubs::$decimals, ',', '&nbsp;' ) . '&nbsp;' . $options['currency'] . '</bdi></span>';
}

function wc_add_notice( string $text, string $kind ): void {
	Stubs::$notices[] = "$kind: $text";
}

function wc_get_page_screen_id( string $for ): string {
	return 'woocommerce_page_wc-orders';
}

function wc_get_container() {
	return new class() {
		public function get( string $class ) {
			return new $class();
		}
	};
}
